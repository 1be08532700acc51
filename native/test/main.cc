// Runs every kernel of every instruction set that can run here against the reference. Exit code 1 on a failure.
#include <cstring>

#include "check.h"

using namespace shadownpu;

namespace {

std::vector<const Kernels*> tables() {
#if defined(SHADOWNPU_EMULATED_AVX512)
  // Built against an emulation of the intrinsics: the processor need not have them.
  return {&kernels_avx512, &kernels_avx512bf16};
#else
  std::vector<const Kernels*> found;
  for (const char* const* name = usable_isas(); *name; ++name) found.push_back(kernels_for(*name));
  return found;
#endif
}

void test_dispatch() {
  size_t count = 0;
  while (usable_isas()[count]) ++count;
  test::check(std::strcmp(usable_isas()[count - 1], "scalar") == 0, "dispatch", [] { return "scalar is not last"; });
  test::check(kernels_for("no such set") == nullptr, "dispatch", [] { return "an unknown set was found"; });
  for (size_t i = 0; i < count; ++i) {
    const Kernels* table = kernels_for(usable_isas()[i]);
    test::check(table && std::strcmp(table->name, usable_isas()[i]) == 0, "dispatch", [i] { return usable_isas()[i]; });
  }
}

}  // namespace

int main() {
  test_dispatch();
  for (const Kernels* kernels : tables()) {
    std::printf("%s\n", kernels->name);
    test::test_formats(*kernels);
    test::test_pilot(*kernels);
    test::test_topk(*kernels);
    test::test_sparse(*kernels);
    test::test_select(*kernels);
    test::test_tail(*kernels);
    test::test_shadow(*kernels);
    test::test_full(*kernels);
    test::test_decode(*kernels);
    test::test_not_finite(*kernels);
    test::test_baselines(*kernels);
  }
  std::printf("%d passed, %d failed\n", test::passed, test::failed);
  return test::failed > 0;
}
