/** Background Sync: the browser wakes the service worker for this tag when it finds a network. */
export const outboxSyncTag = 'kaya-outbox';
