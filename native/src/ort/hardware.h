// The machine's hardware as ONNX Runtime has found it, whether or not an execution provider takes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "environment.h"

namespace shadownpu::ort {

/// What an execution provider has against a device; bits of `reasons` as in OrtDeviceEpIncompatibilityReason.
struct Incompatibility {
  std::string ep;
  uint32_t reasons = 0;
  int32_t code = 0;
  std::string notes;
};

struct Hardware {
  std::string type, vendor;
  uint32_t vendor_id = 0, device_id = 0;
  KeyValues metadata;
  std::vector<Incompatibility> incompatibilities;
};

/// Every piece of hardware, with what the named execution providers say against it. One that says nothing is left out,
/// and so is one that cannot be asked.
std::vector<Hardware> ListHardware(const std::vector<std::string>& eps);

}  // namespace shadownpu::ort
