import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'

import { lazyDialog } from '../components/dialog/lazy-dialog'
import { PageSpinner } from '../components/feedback/page-spinner'
import { loadCode } from '../lib/load-code'
import { useStickyBar } from '../lib/use-sticky-bar'
import { LiveChanges } from '../live/live-changes'
import { endConfirmation, useIsConfirming } from '../session/confirmation'
import { useSignedInUser } from '../session/current-user'
import { personIdOf } from '../session/may'
import { Header } from './header'
import { Sidebar } from './sidebar'

import classes from './app-shell.module.css'

/** Seldom shown, and then to administrators only. */
const ViewAsBanner = lazy(async () => {
  const loaded = await loadCode(() => import('./view-as-banner'))
  return { default: loaded.ViewAsBanner }
})

/** The same, for companies that wait to be deleted. */
const DeletionBanner = lazy(async () => {
  const loaded = await loadCode(() => import('./deletion-banner'))
  return { default: loaded.DeletionBanner }
})

/** The same, for those of whom a second factor is asked. */
const FactorBanner = lazy(async () => {
  const loaded = await loadCode(() => import('./factor-banner'))
  return { default: loaded.FactorBanner }
})

const FactorSetup = lazy(async () => {
  const loaded = await loadCode(() => import('../features/second-factor/factor-setup'))
  return { default: loaded.FactorSetup }
})

const ConfirmDialog = lazyDialog(
  async () => (await import('../features/accounts/confirm-dialog')).ConfirmDialog,
)

const loadMenu = async () => (await import('./menu-drawer')).MenuDrawer
const MenuDrawer = lazyDialog(loadMenu)

/** The frame of every signed-in page, or what has to be done before any is shown. */
export function AppShell({ children }: { children: ReactNode }) {
  const { secondFactorWanted } = useSignedInUser()
  if (!secondFactorWanted?.isOverdue) return <Shell>{children}</Shell>
  return (
    <Suspense fallback={<PageSpinner />}>
      <FactorSetup by={secondFactorWanted.by} />
    </Suspense>
  )
}

/** Header, and the menu at the left or in a drawer. */
function Shell({ children }: { children: ReactNode }) {
  const user = useSignedInUser()
  const [isMenuOpen, menu] = useDisclosure(false)
  const isWide = useMediaQuery('(min-width: 60em)', true, { getInitialValueInEffect: false })
  // With the page, so that the first touch does not wait; if it fails, that touch says why.
  useEffect(() => {
    if (!isWide) loadMenu().catch(() => undefined)
  }, [isWide])
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
        <MenuDrawer isOpen={isMenuOpen} onClose={menu.close} />
      )}
      <ConfirmDialog isOpen={useIsConfirming()} onClose={() => endConfirmation(false)} />
      <div className={classes.column}>
        <div ref={useStickyBar('top')} className={classes.top} data-no-print>
          {user.viewedUntil && (
            <Suspense fallback={null}>
              <ViewAsBanner user={user} until={user.viewedUntil} />
            </Suspense>
          )}
          {user.deletionAt && (
            <Suspense fallback={null}>
              <DeletionBanner user={user} at={user.deletionAt} />
            </Suspense>
          )}
          {user.secondFactorWanted && (
            <Suspense fallback={null}>
              <FactorBanner user={user} by={user.secondFactorWanted.by} />
            </Suspense>
          )}
          <LiveChanges key={personIdOf(user)} />
          <Header isMenuOpen={isMenuOpen} onMenu={menu.toggle} />
        </div>
        <main id="content" tabIndex={-1} className={classes.main}>
          {children}
        </main>
      </div>
    </div>
  )
}
