import { version } from '../../../../package.json'

/** The commit that was built, or empty if unknown; the build puts it in, and without one it is not defined. */
declare const REVISION: string | undefined

const revision = typeof REVISION === 'string' ? REVISION : ''

/** Which Stockbridge this window runs. */
export const VersionLine = () => (
  <span data-figures>
    Version {version}
    {revision && (
      <>
        , revision <code>{revision}</code>
      </>
    )}
  </span>
)
