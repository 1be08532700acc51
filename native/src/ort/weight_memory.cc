#include "weight_memory.h"

#ifdef __linux__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#endif

namespace shadownpu::ort {

namespace {

thread_local bool opening = false;

#ifdef __linux__

constexpr size_t kHugePage = size_t{2} << 20;
/// Many weights share a slab, so that little of its last page stays unused. Untouched pages of it cost nothing.
constexpr size_t kSlabBytes = size_t{32} << 20;
/// Smaller blocks are left to the C library.
constexpr size_t kLeastWeight = size_t{64} << 10;

/// A run of pages from which blocks are cut one after another; unmapped when the last of them is freed.
struct Slab {
  char* base;
  size_t size;
  size_t used = 0;
  size_t blocks = 0;
};

/// Stands before every block, and is as long as ORT's alignment, which it keeps.
struct alignas(64) Header {
  Slab* slab;  // null: from the C library
  size_t size;
};

size_t RoundUp(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }

class Slabs {
 public:
  /// Null when the system has no memory left.
  Header* Take(size_t size) {
    size = RoundUp(size, alignof(Header));
    std::lock_guard lock(mutex_);
    if (!last_ || last_->size - last_->used < size) {
      Slab* slab = Map(RoundUp(std::max(size, kSlabBytes), kHugePage));
      if (!slab) return nullptr;
      last_ = slab;
    }
    auto* header = reinterpret_cast<Header*>(last_->base + last_->used);
    last_->used += size;
    ++last_->blocks;
    *header = {last_, size};
    return header;
  }

  void Give(Header* header) {
    std::lock_guard lock(mutex_);
    Slab* slab = header->slab;
    if (--slab->blocks > 0) {
      // Its place is not used again. Weights are freed alone only while a graph is opened: copies between two forms.
      const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
      const size_t from = RoundUp(reinterpret_cast<size_t>(header), page);
      const size_t to = (reinterpret_cast<size_t>(header) + header->size) / page * page;
      if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_DONTNEED);
      return;
    }
    if (slab == last_) last_ = nullptr;
    munmap(slab->base, slab->size);
    delete slab;
  }

 private:
  static Slab* Map(size_t size) {
    const size_t mapped = size + kHugePage;
    void* raw = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw == MAP_FAILED) return nullptr;
    char* start = static_cast<char*>(raw);
    char* base = reinterpret_cast<char*>(RoundUp(reinterpret_cast<size_t>(raw), kHugePage));
    if (base > start) munmap(start, base - start);
    if (start + mapped > base + size) munmap(base + size, start + mapped - (base + size));
    madvise(base, size, MADV_HUGEPAGE);  // refused where the system is set to have none: pages are small then
    return new Slab{base, size};
  }

  std::mutex mutex_;
  Slab* last_ = nullptr;
};

Slabs& GetSlabs() {
  static auto* slabs = new Slabs;  // never destroyed: threads may still drop sessions while the process exits
  return *slabs;
}

void* ORT_API_CALL Alloc(OrtAllocator*, size_t size) {
  if (size == 0 || size > SIZE_MAX / 2) return nullptr;
  const size_t whole = size + sizeof(Header);
  if (opening && size >= kLeastWeight) {
    if (Header* header = GetSlabs().Take(whole)) return header + 1;
  }
  void* memory = nullptr;
  if (posix_memalign(&memory, alignof(Header), whole) != 0) return nullptr;
  auto* header = static_cast<Header*>(memory);
  *header = {nullptr, whole};
  return header + 1;
}

void ORT_API_CALL Free(OrtAllocator*, void* block) {
  if (!block) return;
  Header* header = static_cast<Header*>(block) - 1;
  if (header->slab) {
    GetSlabs().Give(header);
  } else {
    std::free(header);
  }
}

const OrtMemoryInfo* cpu_memory = nullptr;

const OrtMemoryInfo* ORT_API_CALL Info(const OrtAllocator*) { return cpu_memory; }

#endif

/// Whether glibc's malloc maps large blocks one by one, so that each goes back to the system when it is freed, or cuts
/// them from its heap, which spares the runs of a session the pages' faults. ORT allocates its copies of the model's
/// file by `new`, not by the allocator above. On the heap they leave holes as large as they were, between blocks that
/// stay, and the blocks of a run come to lie in one hole after another (best fit): measured, 300 MB of pages more for
/// one block at a time.
void KeepOffHeap([[maybe_unused]] bool large) {
#ifdef __GLIBC__
  // The bounds between which glibc itself would move its threshold, were it not set: mallopt(3).
  constexpr int kLeast = 128 << 10;
  constexpr int kMost = 32 << 20;
  mallopt(M_MMAP_THRESHOLD, large ? kLeast : kMost);
  mallopt(M_TRIM_THRESHOLD, 2 * kMost);
#endif
}

}  // namespace

OrtAllocator* WeightAllocator([[maybe_unused]] const OrtMemoryInfo* cpu) {
#ifdef __linux__
  cpu_memory = cpu;
  static OrtAllocator allocator{kAllocatorVersion, Alloc, Free, Info};
  return &allocator;
#else
  return nullptr;
#endif
}

OpeningWeights::OpeningWeights() {
  opening = true;
  KeepOffHeap(true);
}

OpeningWeights::~OpeningWeights() {
  KeepOffHeap(false);
  opening = false;
}

}  // namespace shadownpu::ort
