import { notifications } from '#words/en/notifications.ts';
import { inLanguage } from '#words/language.ts';

export const words = inLanguage('notifications', notifications);
