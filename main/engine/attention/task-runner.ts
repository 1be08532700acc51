/** One thread's hands: does a task of a job, with this thread's session handles and scratch. */
import type { NativeAddon, Session } from '../../../native/js/index.ts';
import type { SharedModel } from '../session/shared-model.ts';
import type { StageRecorder } from '../telemetry/stage-recorder.ts';
import { ENGINE_LANE } from '../telemetry/trace-log.ts';
import { BlockIo } from './block-io.ts';
import { HeadAttention } from './head-attention.ts';
import { HeadMemory } from './head-memory.ts';
import type { Job } from './job-board.ts';
import { at } from './layer-views.ts';
import { DevicePilot } from './modes/device-pilot.ts';
import { TILE_ROWS } from './pass.ts';
import type { PilotBuffers } from './pilot/pilot-memory.ts';

export class TaskRunner {
  private readonly model: SharedModel;
  private readonly sessions: Session[];
  private readonly heads: HeadAttention;
  private readonly blockIo: BlockIo;
  private readonly devicePilot: DevicePilot | undefined;
  private readonly recorder: StageRecorder;

  /** @param lane of this thread in the trace @param pilot absent where no request can ask for a pilot device */
  constructor(native: NativeAddon, model: SharedModel, lane = ENGINE_LANE, pilot?: PilotBuffers) {
    this.model = model;
    this.sessions = model.blockIds.map((id) => native.attachSession(id));
    const memory = new HeadMemory(model, lane);
    this.recorder = memory.recorder;
    this.heads = new HeadAttention(native, memory);
    this.blockIo = new BlockIo(model);
    if (pilot) this.devicePilot = new DevicePilot(native, memory, pilot);
  }

  run(job: Job, task: number): void {
    this.recorder.task(() => this.do(job, task));
  }

  close(): void {
    for (const session of this.sessions) session.close();
  }

  private do(job: Job, task: number): void {
    if (job.kind === 'linear') {
      this.linear(
        job.block,
        Math.floor((job.rows * task) / job.tasks),
        Math.floor((job.rows * (task + 1)) / job.tasks),
      );
    } else if (job.kind === 'prepare') {
      this.heads.prepare(job.pass, task);
    } else if (job.kind === 'pilot-codes') {
      this.devicePilot?.prepare(job.pass, task);
    } else if (job.kind === 'pilot-attend') {
      const tiles = Math.ceil(job.pass.rows / TILE_ROWS);
      this.devicePilot?.attend(job.pass, job.place + Math.floor(task / tiles), task % tiles);
    } else if (job.kind === 'decode') {
      const { nHeadKv } = this.model.shape;
      const end = Math.floor((nHeadKv * (task + 1)) / job.tasks);
      for (let head = Math.floor((nHeadKv * task) / job.tasks); head < end; head++) this.heads.decode(job.pass, head);
    } else {
      const { nHead } = this.model.shape;
      const tiles = Math.ceil(job.pass.rows / TILE_ROWS);
      // The last tiles see the most keys: take them first, so that the end of the job is made of small pieces.
      this.heads.attend(job.pass, task % nHead, tiles - 1 - Math.floor(task / nHead));
    }
  }

  /** Rows [from, to) of block graph `index`. */
  private linear(index: number, from: number, to: number): void {
    const { inputs, outputs } = this.blockIo.tensors(index, from, to);
    const place = { layer: index, position: from, rows: to - from };
    this.recorder.time('linear', place, () => at(this.sessions, index).run(inputs, outputs));
  }
}
