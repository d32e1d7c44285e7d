/** Another process: goes on with the investigation whose state it reads, and prints what it decided. */
import { resume } from '../../../src/ai/index.ts'
import { Scripted } from '../scripted.ts'
import { askPerson, decided, FINISH, tool, World } from './world.ts'

const state = await Bun.stdin.json()
const model = new Scripted([FINISH, decided('known')])
const ports = new World().ports([askPerson(), tool()])
const decision = await resume(model, state, { answer: 'Yes' }, ports)
console.log(JSON.stringify({ pid: process.pid, decision, told: model.told(0) }))
