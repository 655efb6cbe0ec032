import { Drawer } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { Header } from './header'
import { Sidebar } from './sidebar'

import classes from './app-shell.module.css'

/** The frame of every signed-in page: the menu at the left, in a drawer on narrow screens. */
export function AppShell({ children }: { children: ReactNode }) {
  const [isMenuOpen, menu] = useDisclosure(false)
  const isWide = useMediaQuery('(min-width: 60em)', true, { getInitialValueInEffect: false })
  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      {isWide ? (
        <aside className={classes.sidebar} aria-label="Sidebar">
          <Sidebar />
        </aside>
      ) : (
        <Drawer
          opened={isMenuOpen}
          onClose={menu.close}
          size={264}
          withCloseButton={false}
          padding={0}
          aria-label="Menu"
          classNames={{ body: classes.drawerBody, content: classes.drawer }}
        >
          <Sidebar onNavigate={menu.close} />
        </Drawer>
      )}
      <div className={classes.column}>
        <Header isMenuOpen={isMenuOpen} onMenu={menu.toggle} />
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
    </div>
  )
}
