import type { Identified } from '../core/index.ts'

/** Whoever sits at this machine; people with names come with the login. */
export const HERE: Identified = { by: 'loopback', name: 'this machine' }
