/** What the browser test bundles: the whole contract, on the global object. */
import * as contract from '../../src/contract/index.ts'

Object.assign(globalThis, { contract })
