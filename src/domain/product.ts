/** The one place that holds the product's name (DESIGN.md). */
export const productName = 'Kaya';
