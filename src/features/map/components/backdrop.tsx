import { memo } from 'react';
import css from './backdrop.module.css';

/** An old walled town; phones see the middle third, wide screens all. */
export const Backdrop = memo(function Backdrop() {
  return (
    <svg
      className={css.backdrop}
      viewBox="0 0 1200 900"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden="true"
      focusable="false"
    >
      <g className={css.park}>
        <path d="M724 126 h112 l14 96 -120 20z" />
        <path d="M414 330 l96 -14 14 84 -88 18z" />
        <path d="M900 520 l150 -30 26 130 -160 20z" />
        <path d="M120 120 l130 -20 20 110 -140 26z" />
        <circle cx="250" cy="640" r="72" />
      </g>
      <path
        className={css.water}
        strokeWidth="20"
        d="M-20 742 C 140 700 240 760 380 716 S 620 660 760 706 S 1010 770 1220 690"
      />
      <path className={css.lake} d="M604 640 q 60 -34 112 -6 q 34 26 -22 44 q -76 18 -90 -38z" />
      <path
        className={css.wall}
        strokeWidth="5"
        d="M430 520 C 400 400 470 300 590 292 S 800 350 792 480 S 700 628 590 622 S 448 600 430 520z"
      />
      <g className={css.ways} strokeWidth="4">
        <path d="M380 380 L 820 330 M390 470 L 830 420 M420 560 L 820 520" />
        <path d="M470 260 L 500 660 M600 250 L 620 660 M740 240 L 760 640" />
        <path d="M400 130 L 830 90 M410 60 L 840 20 M430 200 L 560 186" />
        <path d="M470 20 L 480 220 M640 0 L 650 190 M770 10 L 790 240" />
        <path d="M400 800 L 830 770 M390 860 L 840 840 M520 720 L 530 900 M660 730 L 672 900" />
        <path d="M60 60 L 360 20 M40 300 L 380 260 M60 420 L 400 380 M30 540 L 390 520" />
        <path d="M100 20 L 150 620 M230 0 L 260 560 M330 40 L 350 620" />
        <path d="M850 180 L 1180 140 M860 300 L 1190 280 M850 440 L 1190 400" />
        <path d="M930 60 L 960 640 M1060 40 L 1090 480 M1150 30 L 1170 660" />
        <path d="M60 860 L 380 830 M860 820 L 1180 800 M200 780 L 210 900 M980 770 L 990 900" />
      </g>
      <g className={css.ways} strokeWidth="9">
        <path d="M-20 210 C 140 190 320 240 440 216 S 640 168 836 176 S 1100 240 1220 210" />
        <path d="M-20 470 C 160 440 380 480 556 446 L 640 428 C 820 392 1020 480 1220 450" />
        <path d="M290 -20 C 320 200 330 420 310 920" />
        <path d="M898 -20 C 880 240 910 520 890 920" />
        <path d="M-20 640 C 240 600 420 650 548 566 S 800 560 1220 590" />
        <path d="M360 920 C 420 780 500 700 548 566" />
      </g>
      <g className={css.ways} strokeWidth="16">
        <path d="M556 920 C 566 800 540 660 548 566 C 552 520 548 486 556 446 S 590 200 560 -20" />
        <path d="M690 -20 C 710 120 696 200 698 262 L 702 370 C 706 520 760 700 740 920" />
        <path d="M-20 330 C 200 300 400 300 560 290 S 900 250 1220 330" />
      </g>
    </svg>
  );
});
