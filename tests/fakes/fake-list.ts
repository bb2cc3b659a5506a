import type { PulledPage } from '#api/pulled-page.ts';

/** The rows of a server, with what a delta needs: when each changed, and which are gone. */
export class FakeList<Row extends { id: string }> extends Map<string, Row> {
  /** Rows of a page at most. */
  pageSize = 500;
  /** False: a server without deltas, which answers every pull with all its rows. */
  hasDeltas = true;
  private epoch = 1;
  private changes = 0;
  /** Of rows that are there and of rows that are gone, in the order of their last change. */
  private readonly changedAt = new Map<string, number>();

  override set(id: string, row: Row): this {
    this.stamp(id);
    return super.set(id, row);
  }

  override delete(id: string): boolean {
    this.stamp(id);
    return super.delete(id);
  }

  /** Every cursor so far is void, as after a restore. */
  forgetCursors(): void {
    this.epoch += 1;
  }

  /** One page since `since`; the cursor is '<epoch> <base or full> <target> <place>'. */
  page(since: string): PulledPage<Row> {
    if (!this.hasDeltas) {
      const rows = [...this.values()];
      return { rows, removedIds: [], cursor: null, hasMore: false, isReset: true };
    }
    const place = this.read(since);
    const { base, target } = place;
    const ids =
      base === null
        ? [...this.keys()]
        : [...this.changedAt].filter(([, at]) => at > base).map(([id]) => id);
    const behind = ids.filter((id) => place.after === '' || id > place.after).sort();
    const page = behind.slice(0, this.pageSize);
    const hasMore = behind.length > page.length;
    const next = hasMore ? [base ?? 'full', target, page.at(-1)] : [target, target, ''];
    return {
      rows: page.flatMap((id) => this.get(id) ?? []),
      removedIds: page.filter((id) => !this.has(id)),
      cursor: [this.epoch, ...next].join(' '),
      hasMore,
      isReset: base === null && place.after === '',
    };
  }

  private stamp(id: string): void {
    this.changes += 1;
    this.changedAt.delete(id);
    this.changedAt.set(id, this.changes);
  }

  private read(since: string): { base: number | null; target: number; after: string } {
    const [epoch, base = '', target, after = ''] = since.split(' ');
    if (Number(epoch) !== this.epoch) return { base: null, target: this.changes, after: '' };
    const isEnd = after === '';
    return {
      base: base === 'full' ? null : Number(base),
      target: isEnd ? this.changes : Number(target),
      after,
    };
  }
}
