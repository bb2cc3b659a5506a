// @ts-check
/** The pages opened, how to detect that each is there, and the words it must show. */

/** @typedef {import('./visits.mjs').Screen} Screen */

const splash = { sign: 'body', within: '#root', words: ['Your ride to faster deliveries'] };

/** @type {Screen} */
export const auth = { path: '/auth', ...splash };
/** A page that shows the app's splash and nothing else. @type {Screen} */
export const still = { path: '/static.html', ...splash, within: '.boot' };
/** @type {Screen} */
export const bare = { path: '/bare.html', ...splash, sign: '#root p' };
/** @type {Screen} */
export const home = {
  path: '/home',
  sign: 'button strong',
  within: '#root',
  words: ['Deliver', 'lets start shipping'],
};

/**
 * A courier's offers, with this many packages of `filledPhone` on the phone.
 * @param {number} count @returns {Screen}
 */
export function list(count) {
  const number = `KY-${String(count).padStart(6, '0')}`;
  const address = `${count} Zoo Road, Kano`;
  return {
    path: '/delivery/pending',
    sign: 'article',
    within: 'article >> nth=0',
    words: [number, `Bale ${count} of indigo cloth`, '₦1,500', address],
  };
}
