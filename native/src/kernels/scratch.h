// Temporary memory of kernels: one growing block per thread, reused from call to call. A kernel lays out what it needs
// with a Scratch on its stack; only one Scratch may be alive on a thread.
#pragma once

#include <cstddef>

namespace shadownpu {

// A block of at least `bytes`, aligned to 64, valid until this thread's next call. Throws std::bad_alloc.
void* thread_scratch(size_t bytes);

// Rounds a size up to whole cache lines.
constexpr size_t lines(size_t bytes) { return (bytes + 63) / 64 * 64; }

// Cuts a thread's block into arrays. Give the sum of `lines(bytes)` of all arrays to the constructor.
class Scratch {
 public:
  explicit Scratch(size_t bytes) : next_(static_cast<char*>(thread_scratch(bytes))) {}

  template <class T>
  T* take(size_t count) {
    T* array = reinterpret_cast<T*>(next_);
    next_ += lines(count * sizeof(T));
    return array;
  }

 private:
  char* next_;
};

}  // namespace shadownpu
