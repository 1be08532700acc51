/**
 * The typed face of the native addon: the only module of the project that loads it.
 * All arrays may lie on SharedArrayBuffer memory; native code borrows pointers for the length of a call (or, for
 * `runAsync`, until its promise settles) and never allocates memory that JavaScript sees.
 * Every function checks lengths and throws RangeError or TypeError before it touches memory.
 * Any thread (main or worker_threads) may call any function; functions without shared output may run in parallel.
 */

/** `code` of the errors that the ORT half throws or rejects with (TypeError and RangeError carry none). */
export type NativeErrorCode =
  | 'ORT_UNAVAILABLE' // the library is missing, cannot be loaded, is too old, or loadOrt was not called
  | 'CLOSED' // the handle was closed, or no session with this id is alive
  | 'CANCELLED'
  | 'BUSY' // an open session still uses the EP library
  | 'UNSUPPORTED' // the graph has inputs or outputs that no array here can hold
  | 'ORT_FAIL'
  | 'ORT_INVALID_ARGUMENT'
  | 'ORT_NO_SUCHFILE'
  | 'ORT_NO_MODEL'
  | 'ORT_ENGINE_ERROR'
  | 'ORT_RUNTIME_EXCEPTION'
  | 'ORT_INVALID_PROTOBUF'
  | 'ORT_MODEL_LOADED'
  | 'ORT_NOT_IMPLEMENTED'
  | 'ORT_INVALID_GRAPH'
  | 'ORT_EP_FAIL'
  | 'ORT_MODEL_LOAD_CANCELED'
  | 'ORT_MODEL_REQUIRES_COMPILATION'
  | 'ORT_NOT_FOUND'
  | 'ORT_DEVICE_RESET';

export type NumericArray = Float32Array | Int32Array | Int8Array | Uint8Array | Uint16Array | BigInt64Array;
/** Row-major data with its extents; `data.length` must equal the product of `dims`. */
export interface Tensor {
  data: NumericArray;
  dims: number[];
}

export interface EpDevice {
  /** Position in ORT's list; what `SessionOptions.devices` takes. */
  index: number;
  ep: string;
  epVendor: string;
  type: 'CPU' | 'GPU' | 'NPU';
  vendor: string;
  vendorId: number;
  deviceId: number;
  epMetadata: Record<string, string>;
  epOptions: Record<string, string>;
  deviceMetadata: Record<string, string>;
}

/** A piece of the machine as ONNX Runtime has found it, whether or not an execution provider takes it. */
export interface Hardware {
  type: 'CPU' | 'GPU' | 'NPU';
  vendor: string;
  vendorId: number;
  deviceId: number;
  metadata: Record<string, string>;
  /**
   * What execution providers have against it, those that say something. `reasons`: 1 driver, 2 device, 4 something that is
   * missing, and 2^31 unknown, added up; `code` and `notes` are the provider's own.
   */
  incompatibilities: { ep: string; reasons: number; code: number; notes: string }[];
}

export interface SessionOptions {
  /** Indices from `devices()`; absent or empty: the default CPU provider. */
  devices?: number[];
  epOptions?: Record<string, string>;
  /** ORT session config entries. */
  config?: Record<string, string>;
  /** Intra-op threads, default 1. */
  threads?: number;
  /** Graph optimisation level, default 'all'. */
  optimization?: 'none' | 'basic' | 'extended' | 'all';
}

/** Stops a run from any thread: pass the same token to `runAsync` and call `cancel()`. One use. */
export interface CancelToken {
  cancel(): void;
}

/** A compiled graph. The native object is shared by the whole process; each thread attaches to it by `id`. */
export interface Session {
  readonly id: number;
  readonly inputNames: string[];
  readonly outputNames: string[];
  /** Declared extents, -1 where dynamic, and element type as ORT names it ('float32', 'uint8', ...). */
  describe(): { name: string; output: boolean; type: string; dims: number[] }[];
  /** Runs on the calling thread. Tensors in the order of inputNames and outputNames; outputs are written in place. */
  run(inputs: Tensor[], outputs: Tensor[]): void;
  /** Runs on a background thread; the arrays must stay untouched until it settles. Rejects with code 'CANCELLED'. */
  runAsync(inputs: Tensor[], outputs: Tensor[], token?: CancelToken): Promise<void>;
  /** Drops this handle; the native object goes when the last handle and run of any thread are gone. */
  close(): void;
}

export interface ShadowShape {
  rows: number;
  nPast: number;
  headDim: number;
  heads: number;
  qHeadStride: number;
  outStride: number;
  scale: number;
  /** Nats below a row's best score beyond which no key is kept; 0 keeps any. */
  reach: number;
  tail: boolean;
  share: boolean;
  /** With `hits`: from a head's counts to the next one's. */
  hitsStride?: number;
}

/** `shadowAttention` counts key by key what one row of so many keeps. */
export const HIT_ROWS = 8;

/** Bytes that hold the packed keys of a head, see updateKeyCodes. */
export function packedBytes(keys: number, headDim: number): number {
  return Math.ceil(keys / 32) * 32 * Math.ceil(headDim / 4) * 4;
}

/** Where the rows of one chunk sit. Q and K share positions nPast .. nPast + rows - 1. */
export interface NativeAddon {
  // --- ONNX Runtime host
  /** Loads the ORT library once for the process. Throws with code 'ORT_UNAVAILABLE'. */
  loadOrt(libraryPath: string): { version: string; apiVersion: number };
  registerEpLibrary(name: string, path: string): void;
  unregisterEpLibrary(name: string): void;
  devices(): EpDevice[];
  /** The machine's hardware. @param eps names of the execution providers that are asked about each piece */
  hardware(eps: string[]): Hardware[];
  openSession(modelPath: string, options?: SessionOptions): Session;
  attachSession(id: number): Session;
  createCancelToken(): CancelToken;
  /** How many native sessions are alive in the process. */
  sessionCount(): number;

  /** Ends the process at once with this exit code: no exit handler runs, and no thread is waited for. */
  endProcess(code: number): never;
  /** Gives the system back what native code has freed; takes milliseconds. */
  trimMemory(): void;

  // --- kernels
  /** Instruction sets this machine can run, best first; the last is always 'scalar'. */
  isas(): string[];
  /** The one in use; `useIsa` switches it for the whole process (tests and benchmarks). */
  activeIsa(): string;
  useIsa(name: string): void;
  /**
   * What one core does at best (under a second of work): billions of float32 and of INT8 operations a second, two for a
   * multiply-add, by the widest instructions of the active set (0 for 'scalar'; on arm64 without the dot-product
   * instructions), and GB/s read plus written by a copy in memory.
   */
  measureRoof(): { fp32Gflops: number; int8Gops: number; copyGBs: number };

  /** max |x| over the array, 0 for an empty one; NaN if any element is NaN. */
  maxAbs(x: Float32Array): number;
  /** x8 = clamp(roundHalfToEven(fround(x / lambda)), -127, 127). lambda > 0 and finite. NaN becomes 0. */
  quantize(x: Float32Array, out: Int8Array, lambda: number): void;
  /** float32 to bfloat16 bits, round to nearest even; NaN stays NaN. */
  toBf16(x: Float32Array, out: Uint16Array): void;
  /**
   * Takes the fused projection apart. qkv [rows, (nHead + 2 * nHeadKv) * headDim]; rotary position embedding is applied
   * to q and k by `rope` [>= nPast + rows, headDim] (headDim / 2 cosines, then headDim / 2 sines, a row per position).
   * q [nHead, rows, headDim]; k and v [nHeadKv, capacity, headDim], written at positions nPast ..
   * interleaved: pairs are (2i, 2i+1) (GGUF llama order); otherwise (i, i + headDim/2).
   */
  splitRope(
    qkv: Float32Array,
    q: Float32Array,
    k: Float32Array,
    v: Float32Array,
    rope: Float32Array,
    shape: {
      rows: number;
      nPast: number;
      nHead: number;
      nHeadKv: number;
      headDim: number;
      capacity: number;
      interleaved: boolean;
    },
  ): void;
  /** scores[r * ld + c] = sum_d q8[r, d] * k8[c, d], exact int32. q8 [rows, headDim], k8 [keys, headDim], ld >= keys. */
  pilot(
    q8: Int8Array,
    k8: Int8Array,
    scores: Int32Array,
    shape: { rows: number; keys: number; headDim: number; ld: number },
  ): void;
  /**
   * Per row r the counts[r] best of its nPast + r + 1 visible scores, as ascending positions at indices[r * indexLd ..].
   * Larger score first, then lower position. 1 <= counts[r] <= nPast + r + 1 and <= indexLd.
   */
  topk(
    scores: Int32Array,
    counts: Int32Array,
    indices: Int32Array,
    shape: { rows: number; nPast: number; ld: number; indexLd: number },
  ): void;
  /**
   * Softmax attention of one head over the kept keys only. q [rows, headDim]; k, v [>= keys, headDim];
   * out row r at out[r * outStride ..]. indices and counts as topk writes them.
   * With logMass and prefix the keys that were not kept still count: of row r, which sees nPast + r + 1 keys, they have the
   * softmax mass exp(logMass[r]) (nats of scaled scores, -Infinity for none) and their mean value, found from prefix
   * [rows, headDim], the sums of V over all visible keys.
   */
  sparseAttention(
    q: Float32Array,
    k: Float32Array,
    v: Float32Array,
    indices: Int32Array,
    counts: Int32Array,
    out: Float32Array,
    shape: { rows: number; headDim: number; indexLd: number; outStride: number; scale: number; nPast?: number },
    logMass?: Float32Array,
    prefix?: Float32Array,
  ): void;
  /** The same with K and V as bfloat16 bits; q is rounded to bfloat16 where the hardware multiplies in it. */
  sparseAttentionBf16(
    q: Float32Array,
    k: Uint16Array,
    v: Uint16Array,
    indices: Int32Array,
    counts: Int32Array,
    out: Float32Array,
    shape: { rows: number; headDim: number; indexLd: number; outStride: number; scale: number; nPast?: number },
    logMass?: Float32Array,
    prefix?: Float32Array,
  ): void;
  /**
   * Brings a KV head's packed INT8 keys up to nPast + rows keys, and writes sums of V: prefix[r] over keys 0 .. nPast + r,
   * [rows, headDim]. k, v [>= nPast + rows, headDim]; packed at least packedBytes(nPast + rows, headDim).
   * The state belongs to the head, zeros at first: floats [3, headDim] mean key, channel steps, sum of V; ints: packed keys,
   * keys that the scales were fitted to, greatest squared norm of codes, keys in the sum of V. After a truncation lower
   * ints[0], ints[1] and ints[3] to the new length or 0. The layout of `packed` is that of the active instruction set.
   */
  updateKeyCodes(
    k: Float32Array,
    v: Float32Array,
    packed: Uint8Array,
    floats: Float32Array,
    ints: Int32Array,
    prefix: Float32Array,
    shape: { rows: number; nPast: number; headDim: number },
  ): void;
  /**
   * Shadow attention on this core for `heads` query heads of one KV head: INT8 scores, at least counts[h * rows + r] best
   * keys of each row (whole bins of a 256-bin histogram), exact attention over them, and the tail where asked for.
   * q: head h, row r at q[h * qHeadStride + r * headDim]; out: row r, head h at out[r * outStride + h * headDim].
   * `share`: the heads take the union of their sets. stats [>= 4 + heads] is added to: seconds of scores, selection and
   * sparse attention, kept keys of all heads, and of each. Where there are `hits`, hits[h * hitsStride + key] is added to, too:
   * how many of rows 0, HIT_ROWS, 2 * HIT_ROWS .. kept the key.
   */
  shadowAttention(
    q: Float32Array,
    packed: Uint8Array,
    floats: Float32Array,
    ints: Int32Array,
    k: Float32Array,
    v: Float32Array,
    prefix: Float32Array,
    counts: Int32Array,
    out: Float32Array,
    stats: Float64Array,
    shape: ShadowShape,
    hits?: Int32Array,
  ): void;
  /** The same with K and V as bfloat16 bits. */
  shadowAttentionBf16(
    q: Float32Array,
    packed: Uint8Array,
    floats: Float32Array,
    ints: Int32Array,
    k: Uint16Array,
    v: Uint16Array,
    prefix: Float32Array,
    counts: Int32Array,
    out: Float32Array,
    stats: Float64Array,
    shape: ShadowShape,
    hits?: Int32Array,
  ): void;
  /**
   * Key sets from u8 scores of one head, as a device gives them: key j of row r has bases[r] + steps[r] * byte nats.
   * Keeps at least counts[r] of the nPast + r + 1 visible keys (whole bins of equal bytes; exactly counts[r], lower positions
   * first, where `exact`) but for those more than `reach` nats below the row's best (0: any): ascending positions at indices[r * indexLd ..], kept[r] of them; tails[r] is the logarithm of the
   * others' summed exp(nats), -Infinity for none. indexLd >= nPast + rows.
   */
  selectKeys(
    scores: Uint8Array,
    steps: Float32Array,
    bases: Float32Array,
    counts: Int32Array,
    indices: Int32Array,
    kept: Int32Array,
    tails: Float32Array,
    shape: { rows: number; nPast: number; ld: number; indexLd: number; exact: boolean; reach: number },
  ): void;
  /**
   * Causal dense attention of one head: row r sees keys up to nPast + r, at most `window` of them (0 or absent: all).
   * q [rows, headDim]; k, v [>= nPast + rows, headDim].
   */
  fullAttention(
    q: Float32Array,
    k: Float32Array,
    v: Float32Array,
    out: Float32Array,
    shape: { rows: number; nPast: number; headDim: number; outStride: number; scale: number; window?: number },
  ): void;
  /** One query position for the `group` heads that share a KV head. q [group, headDim], k, v [>= keys, headDim], out [group, headDim]. */
  decodeAttention(
    q: Float32Array,
    k: Float32Array,
    v: Float32Array,
    out: Float32Array,
    shape: { group: number; keys: number; headDim: number; scale: number },
  ): void;

  // --- steps of the baseline modes (plain C++, the same on every instruction set)
  /**
   * order[r * ld + c] = an integer that orders like the float32 score q[r] . k[c] * scale, for the visible c <= nPast + r;
   * what `topk` takes. q [rows, headDim], k [nPast + rows, headDim], ld >= nPast + rows.
   */
  scoreOrder(
    q: Float32Array,
    k: Float32Array,
    order: Int32Array,
    shape: { rows: number; nPast: number; headDim: number; ld: number; scale: number },
  ): void;
  /** scores[b] = mean row of q . mean key of block b. q [rows, headDim], rows > 0; k [keys, headDim]; scores [ceil(keys / block)]. */
  blockScores(
    q: Float32Array,
    k: Float32Array,
    scores: Float32Array,
    shape: { rows: number; keys: number; headDim: number; block: number },
  ): void;
  /**
   * fullAttention with Q, K, scaled scores, softmax (scale 1 / 127), V and output rounded to INT8; lambdas are the static
   * scales, each positive. nPast + rows <= 65535.
   */
  int8Attention(
    q: Float32Array,
    k: Float32Array,
    v: Float32Array,
    out: Float32Array,
    shape: {
      rows: number;
      nPast: number;
      headDim: number;
      outStride: number;
      scale: number;
      lambdaQ: number;
      lambdaK: number;
      lambdaS: number;
      lambdaV: number;
      lambdaO: number;
    },
  ): void;
}
