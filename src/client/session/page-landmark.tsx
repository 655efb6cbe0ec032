import { useContext, type ReactNode } from 'react'

import { SignedInUserContext } from './current-user'

/** The landmark of a page that is shown with and without the shell, which has it already. */
export function PageLandmark({ children }: { children: ReactNode }) {
  return useContext(SignedInUserContext) ? <div>{children}</div> : <main>{children}</main>
}
