#include "hardware.h"

namespace shadownpu::ort {

namespace {

/// Without the status that is expected to be there: the caller takes a failure as no answer.
bool Succeeds(const Api& api, OrtStatus* status) {
  if (!status) return true;
  api.ReleaseStatus(status);
  return false;
}

void Ask(const Environment& environment, const OrtHardwareDevice* device, const std::string& ep,
         std::vector<Incompatibility>& out) {
  const Api& api = environment.api();
  OrtDeviceEpIncompatibilityDetails* raw = nullptr;
  if (!Succeeds(api, api.GetHardwareDeviceEpIncompatibilityDetails(environment.env(), ep.c_str(), device, &raw)) ||
      !raw) {
    return;
  }
  const Handle<OrtDeviceEpIncompatibilityDetails> details(raw, api.ReleaseDeviceEpIncompatibilityDetails);
  Incompatibility found{.ep = ep, .reasons = 0, .code = 0, .notes = ""};
  const char* notes = nullptr;
  if (!Succeeds(api, api.DeviceEpIncompatibilityDetails_GetReasonsBitmask(raw, &found.reasons)) ||
      !Succeeds(api, api.DeviceEpIncompatibilityDetails_GetErrorCode(raw, &found.code)) ||
      !Succeeds(api, api.DeviceEpIncompatibilityDetails_GetNotes(raw, &notes)) || found.reasons == 0) {
    return;
  }
  found.notes = Text(notes);
  out.push_back(std::move(found));
}

}  // namespace

std::vector<Hardware> ListHardware(const std::vector<std::string>& eps) {
  const auto& environment = Environment::Get();
  const Api& api = environment.api();
  size_t count = 0;
  environment.Check(api.GetNumHardwareDevices(environment.env(), &count), "cannot count the hardware");
  std::vector<const OrtHardwareDevice*> devices(count);
  environment.Check(api.GetHardwareDevices(environment.env(), devices.data(), count), "cannot list the hardware");
  std::vector<Hardware> out;
  for (const OrtHardwareDevice* device : devices) {
    Hardware hardware{.type = TypeName(api.HardwareDevice_Type(device)),
                      .vendor = Text(api.HardwareDevice_Vendor(device)),
                      .vendor_id = api.HardwareDevice_VendorId(device),
                      .device_id = api.HardwareDevice_DeviceId(device),
                      .metadata = Copy(api, api.HardwareDevice_Metadata(device)),
                      .incompatibilities = {}};
    for (const std::string& ep : eps) Ask(environment, device, ep, hardware.incompatibilities);
    out.push_back(std::move(hardware));
  }
  return out;
}

}  // namespace shadownpu::ort
