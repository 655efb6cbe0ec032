import { Drawer } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { useStickyBar } from '../lib/use-sticky-bar'
import { LiveChanges } from '../live/live-changes'
import { useSignedInUser } from '../session/current-user'
import { Header } from './header'
import { Sidebar } from './sidebar'
import { ViewingBanner } from './viewing-banner'

import classes from './app-shell.module.css'

/** The frame of every signed-in page: header, and the menu at the left or in a drawer. */
export function AppShell({ children }: { children: ReactNode }) {
  const user = useSignedInUser()
  const [isMenuOpen, menu] = useDisclosure(false)
  const isWide = useMediaQuery('(min-width: 60em)', true, { getInitialValueInEffect: false })
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      {isWide ? (
        <aside className={classes.sidebar} aria-label="Sidebar" data-no-print>
          <Sidebar />
        </aside>
      ) : (
        <Drawer.Root
          opened={isMenuOpen}
          onClose={menu.close}
          size={300}
          padding={0}
          classNames={{ content: classes.drawer, body: classes.drawerBody }}
        >
          <Drawer.Overlay backgroundOpacity={0.55} blur={10} />
          <Drawer.Content aria-label="Menu">
            <Drawer.CloseButton
              className={classes.drawerClose}
              size="lg"
              aria-label="Close the menu"
            />
            <Drawer.Body>
              <Sidebar onNavigate={menu.close} />
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      )}
      <div className={classes.column}>
        <div ref={useStickyBar('top')} className={classes.top} data-no-print>
          {user.viewedUntil && <ViewingBanner user={user} until={user.viewedUntil} />}
          <LiveChanges key={user.id} />
          <Header isMenuOpen={isMenuOpen} onMenu={menu.toggle} />
        </div>
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
    </div>
  )
}
