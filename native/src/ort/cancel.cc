#include "cancel.h"

#include <algorithm>

#include "environment.h"

namespace shadownpu::ort {

namespace {

void Terminate(OrtRunOptions* options) {
  const auto& environment = Environment::Get();
  environment.Check(environment.api().RunOptionsSetTerminate(options), "cannot stop the run");
}

}  // namespace

void CancelState::Cancel() {
  std::lock_guard lock(mutex_);
  cancelled_ = true;
  for (OrtRunOptions* options : running_) Terminate(options);
}

bool CancelState::cancelled() const {
  std::lock_guard lock(mutex_);
  return cancelled_;
}

CancelState::Scope::Scope(CancelState& state, OrtRunOptions* options) : state_(state), options_(options) {
  std::lock_guard lock(state_.mutex_);
  if (state_.cancelled_) Terminate(options_);
  state_.running_.push_back(options_);
}

CancelState::Scope::~Scope() {
  std::lock_guard lock(state_.mutex_);
  std::erase(state_.running_, options_);
}

}  // namespace shadownpu::ort
