/** People: mostly the dispatcher's, so in a chunk that others rarely load. */
import { Administration } from '#features/users/administration.tsx';
import { NewUserScreen } from '#features/users/new-user-screen.tsx';
import { UsersScreen } from '#features/users/users-screen.tsx';

export const screens = { UsersList: UsersScreen, NewUser: NewUserScreen };

export { Administration };
