import { memo } from 'react';
import css from './backdrop.module.css';

/**
 * A calm town, of no real place: it never passes for the map. Phones see the middle third, above
 * the sheet its upper half; wide screens all.
 */
export const Backdrop = memo(function Backdrop() {
  return (
    <svg
      className={css.backdrop}
      viewBox="0 0 1200 900"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <defs>
        <pattern
          id="houses"
          width="96"
          height="84"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(-8)"
        >
          <path
            className={css.house}
            d="M6 8h24v18h-24z M38 6h16v24h-16z M62 10h26v16h-26z M8 46h18v26h-18z M36 50h28v16h-28z M72 46h14v24h-14z"
          />
        </pattern>
      </defs>
      <rect width="1200" height="900" fill="url(#houses)" />
      <g className={css.park}>
        <path d="M664 246 l104 -14 q18 -2 20 14 l8 76 q2 16 -14 18 l-108 12 q-14 2 -16 -12 l-8 -76 q-2 -16 14 -18z" />
        <path d="M402 38 l84 -12 10 74 -88 14z" />
        <path d="M900 520 l150 -30 26 130 -160 20z M120 120 l130 -20 20 110 -140 26z" />
        <circle cx="250" cy="640" r="72" />
        <circle cx="470" cy="560" r="52" />
      </g>
      <path
        className={css.water}
        strokeWidth="44"
        d="M-20 60 C 160 10 300 150 420 214 S 520 330 560 420 S 720 560 820 560 S 1060 620 1220 560"
      />
      <path
        className={css.water}
        strokeWidth="20"
        d="M420 214 C 380 330 320 420 180 470 S 40 520 -20 520"
      />
      <g className={css.ways} strokeWidth="5">
        <path d="M392 152 L 836 92 M380 250 L 836 190 M386 318 L 840 262 M380 470 L 830 402 M400 640 L 820 560" />
        <path d="M432 -20 L 476 420 M604 -20 L 632 300 M788 -20 L 812 420 M470 420 L 490 660 M640 440 L 660 900" />
        <path d="M400 800 L 830 740 M390 880 L 840 820 M520 700 L 540 900 M760 640 L 790 900" />
        <path d="M60 300 L 380 250 M60 420 L 400 370 M30 560 L 390 500 M60 860 L 380 810" />
        <path d="M100 120 L 150 620 M230 100 L 270 560 M330 140 L 360 640 M200 760 L 216 900" />
        <path d="M850 170 L 1180 120 M860 300 L 1190 250 M850 440 L 1190 380 M860 820 L 1180 770" />
        <path d="M930 20 L 970 640 M1060 20 L 1100 480 M1150 20 L 1180 660 M980 720 L 1000 900" />
      </g>
      <g className={css.ways} strokeWidth="11">
        <path d="M-20 400 C 140 372 320 412 470 386 S 700 330 836 328 S 1100 350 1220 320" />
        <path d="M-20 690 C 240 650 420 700 560 640 S 820 660 1220 640" />
        <path d="M286 -20 C 316 200 330 420 310 920 M898 -20 C 880 240 910 520 890 920" />
      </g>
      <g className={css.edge} strokeWidth="23">
        <path d="M520 -20 C 540 120 528 220 590 330 S 660 620 620 920" />
        <path d="M-20 190 C 200 150 380 190 548 160 S 900 60 1220 110" />
      </g>
      <g className={css.main} strokeWidth="17">
        <path d="M520 -20 C 540 120 528 220 590 330 S 660 620 620 920" />
        <path d="M-20 190 C 200 150 380 190 548 160 S 900 60 1220 110" />
      </g>
    </svg>
  );
});
