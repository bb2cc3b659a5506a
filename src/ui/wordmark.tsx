interface WordmarkProps {
  label: string;
  /** px; the width scales. */
  height: number;
}

/** The logo and the four letters of the name, the latter in `currentColor`. */
export function Wordmark({ label, height }: WordmarkProps) {
  return (
    <svg viewBox="0 0 258 72" height={height} role="img" aria-label={label}>
      <rect width="72" height="72" rx="18" fill="#3c3dab" />
      <Parcel />
      <g
        fill="none"
        stroke="currentColor"
        strokeWidth="9.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M95 11v46M121 11 98 34l25 23" />
        <path d="M166 30v27M182 30l14 26M210 30 190 67" />
        <path d="M253 30v27" />
        <circle cx="152" cy="43.5" r="14" />
        <circle cx="239" cy="43.5" r="14" />
      </g>
    </svg>
  );
}

/** Same shape as public/icons/mark.svg, on a 72-unit grid. */
function Parcel() {
  return (
    <g transform="translate(-2.4 -2.4) scale(.8)">
      <path fill="#fff8e8" d="m48 20 27 13.5L48 47 21 33.5z" />
      <path fill="#e9dab9" d="M21 33.5 48 47v30L21 63.5z" />
      <path fill="#cdb98d" d="M75 33.5 48 47v30l27-13.5z" />
      <path fill="#f7ac24" d="m31.3 28.4 27 13.5v17l3.2-4.3 3.2 1V38.7l-27-13.5z" />
    </g>
  );
}
