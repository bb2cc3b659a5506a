/** The peers' types, as far as used: they are installed only to run the bench. */
declare module '@tanstack/db' {
  interface SyncWriter<Row> {
    begin(): void;
    write(message: { type: 'insert' | 'update'; value: Row }): void;
    commit(): void;
    markReady(): void;
  }
  interface Collection<Row> {
    update(id: string, change: (draft: Row) => void): unknown;
    preload(): Promise<void>;
    get(id: string): Row | undefined;
  }
  export function createCollection<Row>(options: {
    id: string;
    getKey(row: Row): string;
    startSync?: boolean;
    sync: { sync(writer: SyncWriter<Row>): void };
  }): Collection<Row>;
}

declare module '@tanstack/offline-transactions' {
  interface Mutation {
    key: string;
    changes: Record<string, unknown>;
  }
  interface Sending {
    transaction: { mutations: Mutation[] };
    idempotencyKey: string;
  }
  interface OnlineDetector {
    subscribe(callBack: () => void): () => void;
    notifyOnline(): void;
    isOnline(): boolean;
    dispose(): void;
  }
  export interface StorageAdapter {
    get(key: string): Promise<string | null>;
    set(key: string, value: string): Promise<void>;
    delete(key: string): Promise<void>;
    keys(): Promise<string[]>;
    clear(): Promise<void>;
  }
  interface OfflineExecutor {
    waitForInit(): Promise<void>;
    createOfflineTransaction(options: { mutationFnName: string }): {
      mutate(change: () => void): unknown;
    };
    dispose(): void;
  }
  export function startOfflineExecutor(options: {
    collections: Record<string, unknown>;
    mutationFns: Record<string, (sending: Sending) => Promise<void>>;
    storage: StorageAdapter;
    onlineDetector: OnlineDetector;
    jitter?: boolean;
  }): OfflineExecutor;
}

declare module 'rxdb' {
  interface RxCollection {
    count(): { exec(): Promise<number> };
    findOne(id: string): { exec(): Promise<{ version: number } | null> };
    find(query: object): { exec(): Promise<unknown[]> };
  }
  interface RxDatabase {
    addCollections(collections: Record<string, { schema: object }>): Promise<unknown>;
    collections: Record<string, RxCollection>;
    close(): Promise<void>;
    remove(): Promise<void>;
  }
  export function createRxDatabase(options: {
    name: string;
    storage: unknown;
    multiInstance: boolean;
  }): Promise<RxDatabase>;
}

declare module 'rxdb/plugins/storage-dexie' {
  /** `settings` are passed to Dexie. */
  export function getRxStorageDexie(settings: { chromeTransactionDurability: 'strict' }): unknown;
}

declare module 'rxdb/plugins/replication' {
  interface Replication {
    awaitInSync(): Promise<unknown>;
    reSync(): void;
    cancel(): Promise<unknown>;
    error$: { subscribe(onError: (error: unknown) => void): unknown };
  }
  export function replicateRxCollection<Row, Checkpoint>(options: {
    replicationIdentifier: string;
    collection: unknown;
    live: boolean;
    pull: {
      batchSize: number;
      handler(
        checkpoint: Checkpoint | undefined,
      ): Promise<{ documents: (Row & { _deleted: boolean })[]; checkpoint: Checkpoint }>;
    };
  }): Replication;
}
