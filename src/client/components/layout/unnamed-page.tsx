import type { ReactNode } from 'react'

import { PageHeader } from './page-header'
import { Panel } from './panel'

/** The frame of a page about something that is not there to name the page after. */
export function UnnamedPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <PageHeader title={title} />
      <Panel>{children}</Panel>
    </>
  )
}
