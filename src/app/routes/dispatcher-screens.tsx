/** What only a dispatcher sees, in a chunk that other phones do not keep. */
import { Administration } from '#features/users/components/administration.tsx';
import { NewUserFields } from '#features/users/components/new-user-form.tsx';

export { Administration, NewUserFields };
