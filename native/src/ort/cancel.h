// Stops runs from another thread.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "abi.h"

namespace shadownpu::ort {

/// One-way switch shared by the runs it stops. Any thread may call any member.
class CancelState {
 public:
  /// Asks every run in flight to stop at its next graph node; later runs do not start.
  void Cancel();
  bool cancelled() const;

  /// Ties run options to the token for the length of a run.
  class Scope {
   public:
    Scope(CancelState& state, OrtRunOptions* options);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    CancelState& state_;
    OrtRunOptions* options_;
  };

 private:
  mutable std::mutex mutex_;
  bool cancelled_ = false;
  std::vector<OrtRunOptions*> running_;
};

}  // namespace shadownpu::ort
