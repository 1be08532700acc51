// Reference pilot and top-k: exact integers by plain loops and a plain sort.
#include <algorithm>
#include <numeric>
#include <vector>

#include "reference.h"

namespace shadownpu::reference {

void pilot(const int8_t* q8, const int8_t* k8, int32_t* scores, const PilotShape& shape) {
  for (size_t r = 0; r < shape.rows; ++r) {
    for (size_t c = 0; c < shape.keys; ++c) {
      const int8_t* q = q8 + r * shape.head_dim;
      const int8_t* k = k8 + c * shape.head_dim;
      int32_t sum = 0;
      for (size_t d = 0; d < shape.head_dim; ++d) sum += q[d] * k[d];
      scores[r * shape.ld + c] = sum;
    }
  }
}

void topk(const int32_t* scores, const int32_t* counts, int32_t* indices, const TopkShape& shape) {
  std::vector<int32_t> order;
  for (size_t r = 0; r < shape.rows; ++r) {
    const int32_t* row = scores + r * shape.ld;
    order.resize(shape.n_past + r + 1);
    std::iota(order.begin(), order.end(), 0);
    // Positions are distinct, so (score, position) orders them totally and no stable sort is needed.
    std::nth_element(order.begin(), order.begin() + (counts[r] - 1), order.end(),
                     [row](int32_t a, int32_t b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
    int32_t* kept = indices + r * shape.index_ld;
    std::copy_n(order.begin(), counts[r], kept);
    std::sort(kept, kept + counts[r]);
  }
}

}  // namespace shadownpu::reference
