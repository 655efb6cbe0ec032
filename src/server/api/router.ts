import { alertsRouter } from '../features/alerting/alerts/alerts.router'
import { webhooksRouter } from '../features/alerting/webhooks/webhooks.router'
import { comparisonsRouter } from '../features/catalogue/comparisons/comparisons.router'
import { connectionsRouter } from '../features/catalogue/connections/connections.router'
import { categoriesRouter } from '../features/catalogue/versions/categories.router'
import { cardsRouter } from '../features/distribution/cards/cards.router'
import { columnPolicyRouter } from '../features/distribution/column-policy/column-policy.router'
import { destinationsRouter } from '../features/distribution/destinations/destinations.router'
import { mergedDestinationsRouter } from '../features/distribution/destinations/merged-destinations.router'
import { feedAddressesRouter } from '../features/distribution/feed-addresses/feed-addresses.router'
import { groupsRouter } from '../features/distribution/groups/groups.router'
import { itemHistoryRouter } from '../features/distribution/item-history/item-history.router'
import { mergedFileRouter } from '../features/distribution/merged-files/merged-file.router'
import { directoryRouter, requestsRouter } from '../features/distribution/requests/requests.router'
import { retailersRouter } from '../features/distribution/retailers/retailers.router'
import { sftpLoginsRouter } from '../features/distribution/sftp-logins/sftp-logins.router'
import { shopFormatsRouter } from '../features/distribution/shop-formats/shop-formats.router'
import { backupsRouter } from '../features/operations/backups/backups.router'
import { cronJobsRouter } from '../features/operations/cron-jobs/cron-jobs.router'
import { liveRouter } from '../features/operations/live/live.router'
import { operationsRouter } from '../features/operations/overview/operations.router'
import { personalDataRouter } from '../features/operations/personal-data/personal-data.router'
import { restoresRouter } from '../features/operations/restores/restores.router'
import { suppliersRouter } from '../features/operations/suppliers/suppliers.router'
import { systemRouter } from '../features/operations/system/system.router'
import { sessionRouter } from '../features/people/accounts/session.router'
import { usersRouter } from '../features/people/accounts/users.router'
import { apiKeysRouter } from '../features/people/api-keys/api-keys.router'
import { auditRouter } from '../features/people/audit/audit.router'
import { companyPeopleRouter } from '../features/people/company-people/company-people.router'
import { confirmationRouter } from '../features/people/confirmation/confirmation.router'
import { invitationsRouter } from '../features/people/invitations/invitations.router'
import { passkeysRouter } from '../features/people/passkeys/passkeys.router'
import { recoveryRouter } from '../features/people/recovery/recovery.router'
import { secondFactorRouter } from '../features/people/second-factor/second-factor.router'
import { sessionsRouter } from '../features/people/sessions/sessions.router'
import { signInRulesRouter } from '../features/people/sign-in-rules/sign-in-rules.router'
import { viewAsRouter } from '../features/people/view-as/view-as.router'
import {
  mailInboxesRouter,
  mailsRouter,
} from '../features/publication/mailed-files/mailed-files.router'
import { publishingRouter } from '../features/publication/publishing/publishing.router'
import { receivedFilesRouter } from '../features/publication/received-files/received-files.router'
import { syncsRouter } from '../features/publication/syncs/syncs.router'
import { timelineRouter } from '../features/publication/timeline/timeline.router'
import { uploadLinksRouter } from '../features/publication/upload-links/upload-links.router'
import { mergeRouters, router } from '../trpc/init'
import { appInfoRouter } from './app-info.router'

/** Every call of the product: the browser uses tRPC, scripts use REST. */
export const appRouter = router({
  app: appInfoRouter,
  session: sessionRouter,
  sessions: sessionsRouter,
  confirmation: confirmationRouter,
  apiKeys: apiKeysRouter,
  users: usersRouter,
  people: companyPeopleRouter,
  invitations: invitationsRouter,
  recovery: recoveryRouter,
  secondFactor: secondFactorRouter,
  signInRules: signInRulesRouter,
  passkeys: passkeysRouter,
  personalData: personalDataRouter,
  suppliers: suppliersRouter,
  retailers: retailersRouter,
  groups: groupsRouter,
  cards: cardsRouter,
  directory: directoryRouter,
  requests: requestsRouter,
  feedAddresses: feedAddressesRouter,
  destinations: destinationsRouter,
  mergedFile: mergedFileRouter,
  mergedDestinations: mergedDestinationsRouter,
  sftpLogins: sftpLoginsRouter,
  profiles: shopFormatsRouter,
  connections: mergeRouters(connectionsRouter, syncsRouter),
  receivedFiles: receivedFilesRouter,
  uploadLinks: uploadLinksRouter,
  mailInboxes: mailInboxesRouter,
  mails: mailsRouter,
  columnPolicy: columnPolicyRouter,
  publishing: publishingRouter,
  differences: comparisonsRouter,
  itemHistory: itemHistoryRouter,
  timeline: timelineRouter,
  categories: categoriesRouter,
  live: liveRouter,
  cronJobs: cronJobsRouter,
  backups: backupsRouter,
  restores: restoresRouter,
  operations: operationsRouter,
  system: systemRouter,
  audit: auditRouter,
  viewings: viewAsRouter,
  alerts: alertsRouter,
  webhooks: webhooksRouter,
})

export type AppRouter = typeof appRouter
