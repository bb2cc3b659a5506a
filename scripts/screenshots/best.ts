/** The screenshots shown by the README and the manifest (public/screenshots). */

type Size = '412x915' | '1280x800';
type Scheme = 'light' | 'dark';

export interface BestPicture {
  /** `role-name` of a scene. */
  scene: string;
  size: Size;
  scheme: Scheme;
}

const rows: [scene: string, size: Size, scheme: Scheme][] = [
  ['sender-home', '412x915', 'light'],
  ['sender-wizard-4-pricing', '412x915', 'light'],
  ['courier-deliveries-pending', '412x915', 'light'],
  ['courier-detail-in-transit', '412x915', 'light'],
  ['stranded-deliveries-accept-requested', '412x915', 'light'],
  ['sender-payment', '412x915', 'dark'],
  ['courier-deliver-code-whole', '412x915', 'dark'],
  ['sender-home', '1280x800', 'light'],
  ['courier-detail-in-transit', '1280x800', 'light'],
  ['dispatcher-deliveries-all', '1280x800', 'light'],
];

export const bestPictures: BestPicture[] = rows.map(([scene, size, scheme]) => ({
  scene,
  size,
  scheme,
}));

/** File name in public/screenshots. */
export const fileOf = ({ scene, size }: Pick<BestPicture, 'scene' | 'size'>) =>
  `${scene}${size === '1280x800' ? '-wide' : ''}.png`;
