// Entry of the addon. Loaded once per JavaScript environment (main thread and each worker); see native/js/index.ts.
#include <napi.h>

#include "ort.h"

void InitAttention(Napi::Env env, Napi::Object exports);
void InitBaselines(Napi::Env env, Napi::Object exports);
void InitShadow(Napi::Env env, Napi::Object exports);
void InitRoof(Napi::Env env, Napi::Object exports);
void InitProcess(Napi::Env env, Napi::Object exports);

static Napi::Object Init(Napi::Env env, Napi::Object exports) {
  InitOrt(env, exports);
  InitAttention(env, exports);
  InitBaselines(env, exports);
  InitShadow(env, exports);
  InitRoof(env, exports);
  InitProcess(env, exports);
  return exports;
}

NODE_API_MODULE(shadownpu, Init)
