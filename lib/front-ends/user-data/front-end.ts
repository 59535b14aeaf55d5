import type { FrontEnd } from '../front-end';

/** Lone user data, which the command `user-data` reads: nothing in a file tells what launches with it. */
export const userData: FrontEnd = { kinds: { 'user-data': 'user data' } };
