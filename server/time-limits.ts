/** How long things may take, so that slow or silent ones cannot use up the server. */
export interface TimeLimits {
  /** From the connection, or the last answer on it, to the end of the headers. */
  headersMs: number;
  /** To the end of the body: a phone on a bad network sends 64 kB in this. */
  requestMs: number;
  /** Between two requests; longer than proxies keep theirs, so that the proxy is the one to close. */
  keepAliveMs: number;
  /** Without a byte either way; event streams say something more often. */
  silenceMs: number;
  /** How often connections are held against the first two. */
  checkEveryMs: number;
  /** From a call as it was read to its answer: the app gives up on one after 15 s. */
  answerMs: number;
  /** Between two signs of life of an event stream; its session is looked at again with each. */
  heartbeatMs: number;
}

export const timeLimits: TimeLimits = {
  headersMs: 15_000,
  requestMs: 30_000,
  keepAliveMs: 72_000,
  silenceMs: 90_000,
  checkEveryMs: 5_000,
  answerMs: 12_000,
  heartbeatMs: 25_000,
};
