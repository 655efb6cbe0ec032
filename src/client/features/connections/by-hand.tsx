import { lazyPart } from '../../components/feedback/lazy-part'

/** Where files are sent to a connection by hand. */
export const ReceivedFilesPanel = lazyPart(
  async () => (await import('./received-files-panel')).ReceivedFilesPanel,
  { name: 'files that were sent', height: 220 },
)

/** The link by which somebody without a login sends files. */
export const UploadLinkPanel = lazyPart(
  async () => (await import('./upload-link-panel')).UploadLinkPanel,
  { name: 'upload link', height: 180 },
)
