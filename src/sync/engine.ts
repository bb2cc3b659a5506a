import type { Failure } from '#domain/outcome.ts';
import type { Intent, Operation } from '#domain/operation.ts';

/** What woke the engine. Each is only a hint that trying may be worth it. */
export type SyncReason =
  | 'start'
  | 'enqueue'
  | 'focus'
  | 'visible'
  | 'online'
  | 'timer'
  | 'pull'
  | 'retry';

export type SyncPhase = 'idle' | 'pushing' | 'pulling';

/** For the connection line. `lastFailure` is null once something went through. */
export interface SyncStatus {
  phase: SyncPhase;
  lastFailure: Failure | null;
  /** Refresh was refused: the queue is kept and waits for a sign-in. */
  isPaused: boolean;
}

export type SyncEvent =
  | { kind: 'acknowledged'; operation: Operation }
  | { kind: 'refused'; operation: Operation }
  | { kind: 'status'; status: SyncStatus };

export interface SyncEngine {
  /** Makes the intent durable, then asks for a drain. Rejects with NotSavedError where it was not saved. */
  enqueue(intent: Intent): Promise<Operation>;
  /** Asks for push, then pull. Cheap; calls that come together become one. */
  request(reason: SyncReason): void;
  /** Puts an operation in `attention` back to `waiting`, with those that leaned on it. */
  retry(operationId: string): Promise<void>;
  /** Drops an operation in `attention`, with those that leaned on it. */
  discard(operationId: string): Promise<void>;
  subscribe(listener: (event: SyncEvent) => void): () => void;
  /** Resolves once nothing of this engine is running any more. */
  stop(): Promise<void>;
}
