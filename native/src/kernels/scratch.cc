#include "scratch.h"

#include <cstdlib>
#include <new>

namespace shadownpu {
namespace {

struct Block {
  void* raw = nullptr;
  size_t size = 0;
  ~Block() { std::free(raw); }
};

thread_local Block block;

}  // namespace

void* thread_scratch(size_t bytes) {
  const size_t need = bytes + 64;
  if (block.size < need) {
    std::free(block.raw);
    block.size = 0;
    // A quarter more than asked, since contexts grow by chunks.
    block.raw = std::malloc(need + need / 4);
    if (!block.raw) throw std::bad_alloc();
    block.size = need + need / 4;
  }
  const size_t address = reinterpret_cast<size_t>(block.raw);
  return reinterpret_cast<void*>((address + 63) / 64 * 64);
}

}  // namespace shadownpu
