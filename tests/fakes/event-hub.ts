/**
 * One server process's end of the event streams: it reads what changed when told to, and sends each
 * reader what concerns them. Two hubs over the same rows are two processes, each with a snapshot of
 * its own.
 */
import type { RowBatch } from '#api/events.ts';
import type { Area } from '#contract/area.ts';
import type { ServerRows } from './server-rows.ts';

export type StreamEvent =
  | { name: 'hello'; at: string }
  | { name: 'rows'; batch: RowBatch }
  | { name: 'change' };

interface Reader {
  userId: string;
  area: Area | null;
  role: string;
  /** The end of the last batch sent, or of hello. */
  end: string;
  send(event: StreamEvent): void;
  onEnd(): void;
}

export class EventHub {
  private at: string;
  private readonly readers = new Set<Reader>();

  constructor(
    private readonly rows: ServerRows,
    /** Whether a reader whom nothing concerns gets an empty batch. */
    private readonly sendsEmpty: () => boolean = () => false,
  ) {
    this.at = rows.snapshot();
  }

  get size(): number {
    return this.readers.size;
  }

  /** Sends hello. Returns a function that closes the stream. */
  connect(reader: Pick<Reader, 'userId' | 'area' | 'send' | 'onEnd'>): () => void {
    const { role } = this.rows.actor(reader.userId);
    const one: Reader = { ...reader, role, end: this.at };
    this.readers.add(one);
    one.send({ name: 'hello', at: this.at });
    return () => this.readers.delete(one);
  }

  /**
   * Sends what changed since the last flush; ends the streams of readers in another role.
   * `isToAll`: whom nothing concerns gets an empty batch.
   */
  flush({ isOfRowsOnly = false, isToAll = false } = {}): void {
    const from = this.at;
    this.at = this.rows.snapshot();
    for (const reader of [...this.readers]) {
      const { userId, area, role, end } = reader;
      if (!this.rows.isOfThisEpoch(from) || this.rows.actor(userId).role !== role) {
        this.end(reader);
        continue;
      }
      const hasNewUsers = !isOfRowsOnly && this.rows.hasNewUsers(userId, from);
      if (hasNewUsers) reader.send({ name: 'change' });
      const batch = this.rows.batch(userId, from, area);
      const isEmpty = batch.rows.length + batch.removals.length === 0;
      if (isEmpty && !isToAll && !this.sendsEmpty()) continue;
      reader.end = batch.to;
      reader.send({ name: 'rows', batch: structuredClone({ ...batch, from: end }) });
    }
  }

  /** The process ends. */
  stop(): void {
    for (const reader of [...this.readers]) this.end(reader);
  }

  private end(reader: Reader): void {
    this.readers.delete(reader);
    reader.onEnd();
  }
}
