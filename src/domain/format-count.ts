const thousands = /\B(?=(\d{3})+$)/g;

/** 12345 → '12,345', as Intl.NumberFormat writes it in Nigeria. A whole number from 0 on. */
export function formatCount(count: number): string {
  return String(count).replace(thousands, ',');
}
