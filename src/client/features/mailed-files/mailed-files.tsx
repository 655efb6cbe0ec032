import { lazyPart } from '../../components/feedback/lazy-part'

/** The address to which files are sent by mail, and what became of the last mails. */
export const MailInboxPanel = lazyPart(
  async () => (await import('./mail-inbox-panel')).MailInboxPanel,
  { name: 'address for mails', height: 220 },
)
