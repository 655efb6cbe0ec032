// npm run build.
import { buildProduct, checkBuildPackages } from './build-product.mjs'

checkBuildPackages()
buildProduct(process.argv.slice(2))
