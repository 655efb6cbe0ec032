import { Box } from '@mantine/core'
import type { ReactNode } from 'react'

import { Logo } from '../../components/layout/logo'
import { useAppName } from '../../session/page-title'
import { BrandPanel } from './brand-panel'

import classes from './entry-frame.module.css'

/** The frame of the pages for who is not signed in: a form beside what the product is. */
export function EntryFrame({ children }: { children: ReactNode }) {
  const appName = useAppName()
  return (
    <div className={classes.page}>
      <main className={classes.side}>
        <Box w="100%" maw={360} miw={0} style={{ overflowWrap: 'anywhere' }}>
          <div className={classes.brand}>
            <Logo size={36} />
            <span>{appName}</span>
          </div>
          {children}
        </Box>
      </main>
      <BrandPanel appName={appName} />
    </div>
  )
}
