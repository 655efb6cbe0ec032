import {
  IconBucket,
  IconMail,
  IconServer,
  IconServerBolt,
  IconWorldUp,
  type Icon,
} from '@tabler/icons-react'

import type { DestinationKind } from '../../../shared/destinations'

const ICONS: Record<DestinationKind, Icon> = {
  sftp: IconServerBolt,
  ftp: IconServer,
  s3: IconBucket,
  web: IconWorldUp,
  mail: IconMail,
}

export function KindIcon({ kind, size = 22 }: { kind: DestinationKind; size?: number }) {
  const Glyph = ICONS[kind]
  return <Glyph size={size} stroke={1.6} aria-hidden="true" />
}
