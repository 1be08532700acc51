/**
 * What a plan of one layer's shadow attention is made of. A head passes three stages: pilot on the device (one launch for
 * all heads of a group), topk and qkv on the CPU. Times are milliseconds, or any unit as long as it is one.
 */

export interface Head {
  /** Unique within a layer. */
  id: number;
  /** Heads of one bucket can share a launch. */
  bucket: number;
  /** Time of the selection. */
  topk: number;
  /** Time of the sparse attention. */
  qkv: number;
}

/** Time of one launch by the number of heads in it. Its keys are the sizes that the device has graphs for; 1 is one of them. */
export type NpuCost = Readonly<Record<number, number>>;

export interface Instance {
  heads: readonly Head[];
  /** Ids of the heads that are launched together; every head is in exactly one group. */
  groups: readonly (readonly number[])[];
  npu: NpuCost;
}

/** One launch of a plan: index into `Instance.groups`, and the ids of its heads in the order of the stages after the pilot. */
export interface Launch {
  group: number;
  heads: readonly number[];
}

/** Launches in their order, and when the last head is done if every stage takes as long as its cost says. */
export interface Plan {
  launches: readonly Launch[];
  makespan: number;
}
