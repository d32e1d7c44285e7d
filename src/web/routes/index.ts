import type { Listening } from '../listen/listening.ts'
import type { Settings } from '../listen/settings.ts'
import type { WebDeps } from '../ports.ts'
import type { Route } from '../route.ts'
import type { StreamHub } from '../stream.ts'
import { answerRoutes } from './answer.ts'
import { approvalRoutes } from './approvals.ts'
import { auditRoutes } from './audit.ts'
import { backupRoutes } from './backups.ts'
import { cameraRoutes } from './cameras.ts'
import { caseRoutes } from './cases.ts'
import { documentRoutes } from './documents.ts'
import { draftRoutes } from './draft.ts'
import { exchangeRoutes } from './exchange.ts'
import { holdRoutes } from './holds.ts'
import { httpRoutes } from './http.ts'
import { intakeRoutes } from './intake.ts'
import { learningRoutes } from './learning.ts'
import { logRoutes } from './log.ts'
import { messageRoutes } from './messages.ts'
import { modeRoutes } from './mode.ts'
import { noticeRoutes } from './notices.ts'
import { pageRoutes } from './page.ts'
import { privacyRoutes } from './privacy.ts'
import { runRoutes } from './runs.ts'
import { sessionRoutes } from './session.ts'
import { siteRuleRoutes } from './site-rules.ts'
import { siteTestRoutes } from './site-tests.ts'
import { systemRoutes } from './system.ts'
import { tokenRoutes } from './tokens.ts'
import { updateRoutes } from './updates.ts'
import { userRoutes } from './users.ts'
import { workflowRoutes } from './workflows.ts'

/** Everything that the box answers to, each with the permission that it takes. */
export function routeTable(
  deps: WebDeps,
  { settings, listening }: { settings: Settings; listening: Listening },
  stream: StreamHub,
  shed: () => Record<string, number>,
): Route[] {
  const all: Route[] = [
    ...pageRoutes(),
    ...sessionRoutes(deps),
    ...userRoutes(deps),
    ...tokenRoutes(deps),
    ...exchangeRoutes(deps),
    ...workflowRoutes(deps),
    ...draftRoutes(deps),
    ...runRoutes(deps),
    ...approvalRoutes(deps),
    ...answerRoutes(deps),
    ...noticeRoutes(deps),
    ...learningRoutes(deps),
    ...caseRoutes(deps),
    ...siteRuleRoutes(deps),
    ...siteTestRoutes(deps),
    ...cameraRoutes(deps),
    ...holdRoutes(deps),
    ...modeRoutes(deps),
    ...auditRoutes(deps),
    ...intakeRoutes(deps),
    ...messageRoutes(deps),
    ...systemRoutes(deps, stream, shed),
    ...backupRoutes(deps),
    ...logRoutes(deps),
    ...privacyRoutes(deps),
    ...updateRoutes(deps),
    ...httpRoutes(settings, listening),
    ...documentRoutes(deps, stream, shed, () => all),
  ]
  return all
}
