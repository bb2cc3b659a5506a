// @ts-check

/**
 * A photo of 12 megapixels, as a phone's camera hands it over, with as much detail as a street. Drawn
 * in the page.
 * @param {import('@playwright/test').Page} page
 */
export async function takePhoto(page) {
  const base64 = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(4032, 3024);
    const context = canvas.getContext('2d');
    if (!context) throw new Error('There is no canvas.');
    for (let at = 0; at < 20_000; at += 1) {
      context.fillStyle = `hsl(${(at * 47) % 360} 60% ${20 + (at % 60)}%)`;
      context.fillRect((at * 761) % 4032, (at * 433) % 3024, 20 + (at % 90), 15 + (at % 70));
    }
    const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.92 });
    const reader = new FileReader();
    reader.readAsDataURL(blob);
    await new Promise((done) => reader.addEventListener('load', done));
    return String(reader.result).split(',')[1] ?? '';
  });
  return { name: 'door.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
}
