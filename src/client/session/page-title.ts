import { useDocumentTitle } from '@mantine/hooks'

import { trpc } from '../trpc'

/** The product's name, which an installation can configure. */
export function useAppName(): string {
  return trpc.app.info.useQuery().data?.appName ?? 'Stockbridge'
}

/** Sets the title of the browser tab. */
export function usePageTitle(title: string): void {
  const appName = useAppName()
  useDocumentTitle(`${title} · ${appName}`)
}
