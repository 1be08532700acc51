// The kernels for x86-64-v4 with VNNI.
#if defined(__x86_64__) || defined(_M_X64)

#include "../ops/table.h"
#include "avx512.h"

namespace shadownpu {

const Kernels kernels_avx512 = ops::table<Avx512>();

}  // namespace shadownpu

#endif
