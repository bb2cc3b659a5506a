import { memo } from 'react';
import css from './background.module.css';

/** The calm ground behind home: streets that are nowhere in particular. */
export const Background = memo(function Background() {
  return (
    <svg
      className={css.background}
      viewBox="0 0 400 700"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <path
        className={css.water}
        strokeWidth="34"
        d="M-20 560 C 80 520 150 590 240 540 S 380 500 430 520"
      />
      <g className={css.road} strokeWidth="16">
        <path d="M-20 210 C 90 190 210 250 420 190" />
        <path d="M120 -20 C 150 160 110 330 160 720" />
        <path d="M310 -20 C 280 180 330 400 290 720" />
      </g>
      <g className={css.road} strokeWidth="7">
        <path d="M-20 90 L 420 60" />
        <path d="M-20 330 L 420 310" />
        <path d="M-20 430 C 120 400 260 440 420 410" />
        <path d="M40 -20 L 60 720" />
        <path d="M215 -20 L 230 720" />
        <path d="M370 -20 L 360 720" />
        <path d="M-20 640 L 420 620" />
      </g>
      <path
        className={css.route}
        strokeWidth="6"
        d="M130 325 C 135 260 135 225 150 217 S 240 228 300 208 S 300 120 303 75"
      />
      <circle className={css.pin} strokeWidth="5" cx="130" cy="328" r="10" />
      <circle className={css.pin} strokeWidth="5" cx="303" cy="70" r="10" />
    </svg>
  );
});
