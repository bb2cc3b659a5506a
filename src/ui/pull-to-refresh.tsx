import { RefreshCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import css from './pull-to-refresh.module.css';

/** Finger travel that triggers a refresh; the indicator follows at half of it. */
const readyPx = 128;
const followed = 0.5;
const mostPx = 96;

interface PullToRefreshProps {
  onRefresh(): void;
}

/**
 * Pull to refresh at the top of the page, for touch only; keyboards and screen readers use
 * `RefreshButton`. The scroller needs `overscroll-behavior: none`.
 */
export function PullToRefresh({ onRefresh }: PullToRefreshProps) {
  const sign = useRef<HTMLDivElement>(null);
  const refresh = useRef(onRefresh);
  refresh.current = onRefresh;
  useEffect(() => {
    const element = sign.current;
    const scroller = element?.closest('main');
    if (!element || !scroller) return;
    const stopping = new AbortController();
    const options = { passive: true, signal: stopping.signal };
    let startY: number | null = null;
    let pulledPx = 0;
    const show = (px: number) => {
      pulledPx = px;
      element.style.transform = `translateY(${Math.min(px * followed, mostPx)}px)`;
      element.dataset.pulled = String(px > 0);
      element.dataset.ready = String(px >= readyPx);
    };
    scroller.addEventListener(
      'touchstart',
      ({ touches }) => {
        const [only] = touches;
        startY = touches.length === 1 && only && scroller.scrollTop <= 0 ? only.clientY : null;
      },
      options,
    );
    scroller.addEventListener(
      'touchmove',
      ({ touches }) => {
        const [only] = touches;
        if (startY === null || !only) return;
        if (scroller.scrollTop > 0 || touches.length > 1) startY = null;
        show(startY === null ? 0 : Math.max(0, only.clientY - startY));
      },
      options,
    );
    const reset = () => {
      startY = null;
      show(0);
    };
    const end = () => {
      if (pulledPx >= readyPx) refresh.current();
      reset();
    };
    scroller.addEventListener('touchend', end, options);
    scroller.addEventListener('touchcancel', reset, options);
    return () => stopping.abort();
  }, []);
  return (
    <div ref={sign} className={css.sign} aria-hidden>
      <RefreshCw size={24} />
    </div>
  );
}

interface RefreshButtonProps extends PullToRefreshProps {
  label: string;
  isBusy: boolean;
}

export function RefreshButton({ label, isBusy, onRefresh }: RefreshButtonProps) {
  return (
    <IconButton
      label={label}
      icon={<RefreshCw aria-hidden className={isBusy ? css.turning : undefined} />}
      aria-disabled={isBusy || undefined}
      onClick={() => {
        if (!isBusy) onRefresh();
      }}
    />
  );
}
