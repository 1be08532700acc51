// The kernels for x86-64-v3.
#if defined(__x86_64__) || defined(_M_X64)

#include "../ops/table.h"
#include "avx2.h"

namespace shadownpu {

const Kernels kernels_avx2 = ops::table<Avx2>();

}  // namespace shadownpu

#endif
