import { createLucideIcon } from 'lucide-react';

/** The handset in a bubble that people look for; Lucide has no brands. */
export const WhatsApp = createLucideIcon({
  name: 'whatsapp',
  size: 24,
  node: [
    [
      'path',
      {
        key: 'bubble',
        d: 'M2.992 16.342a2 2 0 0 1 .094 1.167l-1.065 3.29a1 1 0 0 0 1.236 1.168l3.413-.998a2 2 0 0 1 1.099.092 10 10 0 1 0-4.777-4.719',
      },
    ],
    [
      'path',
      {
        key: 'handset',
        fill: 'currentColor',
        strokeWidth: 0.5,
        d: 'M9.4 7.2c.5-.2 1 0 1.2.5l.6 1.5c.2.4 0 .8-.2 1l-.6.7c.6 1.2 1.5 2.1 2.7 2.7l.7-.6c.2-.2.6-.4 1-.2l1.5.6c.5.2.7.7.5 1.2-.3 1-1.3 1.6-2.3 1.5-3.6-.5-6.2-3-6.6-6.6-.1-1 .5-2 1.5-2.3z',
      },
    ],
  ],
});
