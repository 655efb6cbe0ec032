// Loaded by Node before a program of the sources, which it can run itself but for one thing: they name each other
// without their endings. What it has compiled is kept, because tests start such programs hundreds of times.
import { existsSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

enableCompileCache()
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && context.parentURL?.endsWith('.ts')) {
      const { href } = new URL(`${specifier}.ts`, context.parentURL)
      if (existsSync(fileURLToPath(href))) return next(href, context)
    }
    return next(specifier, context)
  },
})
