/** The screenshots shown by the README and the manifest (public/screenshots). */

export interface BestPicture {
  /** `role-name` of a scene. */
  scene: string;
  size: '412x915' | '1280x800';
  scheme: 'light' | 'dark';
  /** Alt text. */
  label: string;
}

export const bestPictures: BestPicture[] = [
  {
    scene: 'sender-home',
    size: '412x915',
    scheme: 'light',
    label: 'Home: where to, and start shipping',
  },
  {
    scene: 'sender-wizard-4-pricing',
    size: '412x915',
    scheme: 'light',
    label: 'A new package: price offer and payment method',
  },
  {
    scene: 'courier-deliveries-pending',
    size: '412x915',
    scheme: 'light',
    label: 'What couriers can accept',
  },
  {
    scene: 'courier-detail-in-transit',
    size: '412x915',
    scheme: 'light',
    label: 'A package on its way',
  },
  {
    scene: 'stranded-deliveries-accept-requested',
    size: '412x915',
    scheme: 'light',
    label: 'What was done without a network waits to be sent',
  },
  {
    scene: 'sender-payment',
    size: '412x915',
    scheme: 'dark',
    label: 'Balance and history, by night',
  },
  {
    scene: 'courier-deliver-code-whole',
    size: '412x915',
    scheme: 'dark',
    label: 'At the door: cash and the recipient’s code',
  },
  {
    scene: 'sender-home',
    size: '1280x800',
    scheme: 'light',
    label: 'Home on a desk: what is under way',
  },
  {
    scene: 'courier-detail-in-transit',
    size: '1280x800',
    scheme: 'light',
    label: 'On a desk: a courier’s list, a package and the map',
  },
  {
    scene: 'dispatcher-deliveries-all',
    size: '1280x800',
    scheme: 'light',
    label: 'Packages as a table, for dispatchers',
  },
];

/** File name in public/screenshots. */
export const fileOf = ({ scene, size }: Pick<BestPicture, 'scene' | 'size'>) =>
  `${scene}${size === '1280x800' ? '-wide' : ''}.png`;
