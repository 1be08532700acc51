/**
 * Makes a plan shorter by best-change descent: of all plans that differ by one group moved elsewhere or by two heads of a
 * group swapped, the shortest takes the plan's place while it is shorter (reference/planner.py, improve). The greedy order
 * alone is up to a third above the optimum where the device is the bottleneck.
 */
import { launchCost } from './timeline.ts';
import type { Instance, Launch, Plan } from './types.ts';

export interface Improved extends Plan {
  /** Stage pairs of a head that were computed: the work that the search took. */
  steps: number;
}

/**
 * @param mostSteps the search ends after the round that reaches it; bounds the time alike on every run
 */
export function improve(
  instance: Instance,
  launches: readonly Launch[],
  mostSteps = Number.POSITIVE_INFINITY,
): Improved {
  const search = new Search(instance, launches);
  while (search.steps < mostSteps && search.takeBestChange()) {}
  return { launches: search.launches(), makespan: search.makespan, steps: search.steps };
}

/**
 * The plan as typed arrays, so that trying a change allocates nothing. Groups are numbered by their place in the first
 * plan; `order` lists them as they are launched now, and a group's heads stay in its own stretch of `seats`.
 */
class Search {
  makespan: number;
  steps = 0;
  private readonly ids: Int32Array;
  private readonly groups: Int32Array;
  private readonly topk: Float64Array;
  private readonly qkv: Float64Array;
  private readonly launch: Float64Array;
  /** First seat of each group, and one past the last seat. */
  private readonly start: Int32Array;
  /** Head (index into topk and qkv) at each seat. */
  private readonly seats: Int32Array;
  private readonly order: Int32Array;
  private readonly trial: Int32Array;
  /** Clocks before each launch of `order`: a change at a launch leaves everything before it as it was. */
  private readonly npuBefore: Float64Array;
  private readonly topkBefore: Float64Array;
  private readonly qkvBefore: Float64Array;
  private readonly qkvLeft: Float64Array;

  constructor(instance: Instance, launches: readonly Launch[]) {
    const heads = new Map(instance.heads.map((head) => [head.id, head]));
    const sequence = launches.flatMap((launch) => launch.heads);
    const cost = (id: number, stage: 'topk' | 'qkv') => heads.get(id)?.[stage] ?? 0;
    this.ids = Int32Array.from(sequence);
    this.groups = Int32Array.from(launches, ({ group }) => group);
    this.topk = Float64Array.from(sequence, (id) => cost(id, 'topk'));
    this.qkv = Float64Array.from(sequence, (id) => cost(id, 'qkv'));
    this.launch = Float64Array.from(launches, (launch) => launchCost(instance, launch.heads.length));
    this.start = new Int32Array(launches.length + 1);
    for (const [g, launch] of launches.entries()) this.start[g + 1] = this.start[g]! + launch.heads.length;
    this.seats = Int32Array.from(sequence, (_, seat) => seat);
    this.order = Int32Array.from(launches, (_, g) => g);
    this.trial = this.order.slice();
    this.npuBefore = new Float64Array(launches.length + 1);
    this.topkBefore = new Float64Array(launches.length + 1);
    this.qkvBefore = new Float64Array(launches.length + 1);
    this.qkvLeft = new Float64Array(launches.length + 1);
    this.makespan = this.recordClocks();
  }

  launches(): Launch[] {
    return Array.from(this.order, (g) => ({
      group: this.groups[g]!,
      heads: Array.from(this.seats.subarray(this.start[g]!, this.start[g + 1]!), (head) => this.ids[head]!),
    }));
  }

  /** Tries every change and makes the best one; false where none shortens the plan. Of equals the first counts. */
  takeBestChange(): boolean {
    const { order, trial, start, seats } = this;
    const count = order.length;
    let best = this.makespan;
    let from = -1;
    let to = -1;
    let seatA = -1;
    let seatB = -1;
    trial.set(order);
    for (let a = 0; a < count; a++) {
      // The group goes to the front, then back by one place at a time; after the last place it returns to its own.
      move(trial, a, 0);
      for (let b = 0; b < count; b++) {
        if (b > 0) swap(trial, b - 1, b);
        if (a === b) continue;
        const end = this.endFrom(Math.min(a, b), best);
        if (end >= best) continue;
        best = end;
        from = a;
        to = b;
      }
      move(trial, count - 1, a);
      const g = order[a]!;
      for (let p = start[g]!; p < start[g + 1]!; p++) {
        for (let q = p + 1; q < start[g + 1]!; q++) {
          swap(seats, p, q);
          const end = this.endFrom(a, best);
          swap(seats, p, q);
          if (end >= best) continue;
          best = end;
          from = -1;
          seatA = p;
          seatB = q;
        }
      }
    }
    if (best >= this.makespan) return false;
    if (from >= 0) move(order, from, to);
    else swap(seats, seatA, seatB);
    this.trial.set(order);
    this.makespan = this.recordClocks();
    return true;
  }

  /** Makespan of `trial`, whose launches before `position` are those of `order`; Infinity once it cannot be below `limit`. */
  private endFrom(position: number, limit: number): number {
    const { trial, start, seats, launch, topk, qkv } = this;
    let npuClock = this.npuBefore[position]!;
    let topkClock = this.topkBefore[position]!;
    let qkvClock = this.qkvBefore[position]!;
    let left = this.qkvLeft[position]!;
    for (let i = position; i < trial.length; i++) {
      const g = trial[i]!;
      npuClock += launch[g]!;
      for (let seat = start[g]!; seat < start[g + 1]!; seat++) {
        const head = seats[seat]!;
        topkClock = Math.max(npuClock, topkClock) + topk[head]!;
        qkvClock = Math.max(topkClock, qkvClock) + qkv[head]!;
        left -= qkv[head]!;
        this.steps++;
      }
      // All qkv work that is left still has to follow. Equal sums may differ in their last bits, hence not >=.
      if (qkvClock + left > limit) return Number.POSITIVE_INFINITY;
    }
    return qkvClock;
  }

  /** Notes the clocks along `order`; returns its makespan. */
  private recordClocks(): number {
    const { order, start, seats, launch, topk, qkv } = this;
    let npuClock = 0;
    let topkClock = 0;
    let qkvClock = 0;
    let left = qkv.reduce((sum, cost) => sum + cost, 0);
    for (let i = 0; i < order.length; i++) {
      this.npuBefore[i] = npuClock;
      this.topkBefore[i] = topkClock;
      this.qkvBefore[i] = qkvClock;
      this.qkvLeft[i] = left;
      const g = order[i]!;
      npuClock += launch[g]!;
      for (let seat = start[g]!; seat < start[g + 1]!; seat++) {
        const head = seats[seat]!;
        topkClock = Math.max(npuClock, topkClock) + topk[head]!;
        qkvClock = Math.max(topkClock, qkvClock) + qkv[head]!;
        left -= qkv[head]!;
      }
    }
    return qkvClock;
  }
}

/** Takes the entry at `from` out and puts it in at `to`. */
function move(list: Int32Array, from: number, to: number): void {
  const moved = list[from]!;
  if (from < to) list.copyWithin(from, from + 1, to + 1);
  else list.copyWithin(to + 1, to, from);
  list[to] = moved;
}

function swap(list: Int32Array, a: number, b: number): void {
  const moved = list[a]!;
  list[a] = list[b]!;
  list[b] = moved;
}
