# A formula for Homebrew. At a release replace VERSION, and SHA256 by the sums in SHA256SUMS of the release.
class Iriscan < Formula
  desc "Find the IRIs of documents in any charset, and rewrite them to URIs in place"
  homepage "REPOSITORY"
  version "VERSION"
  license all_of: [{ any_of: ["MIT", "Apache-2.0"] }, "Unicode-3.0"]

  on_macos do
    on_arm do
      url "REPOSITORY/releases/download/v#{version}/iriscan-#{version}-aarch64-apple-darwin.tar.gz"
      sha256 "SHA256"
    end
    on_intel do
      url "REPOSITORY/releases/download/v#{version}/iriscan-#{version}-x86_64-apple-darwin.tar.gz"
      sha256 "SHA256"
    end
  end

  on_linux do
    on_arm do
      url "REPOSITORY/releases/download/v#{version}/iriscan-#{version}-aarch64-unknown-linux-musl.tar.gz"
      sha256 "SHA256"
    end
    on_intel do
      url "REPOSITORY/releases/download/v#{version}/iriscan-#{version}-x86_64-unknown-linux-musl.tar.gz"
      sha256 "SHA256"
    end
  end

  def install
    bin.install "iriscan"
    man1.install "iriscan.1"
    bash_completion.install "complete/iriscan.bash" => "iriscan"
    zsh_completion.install "complete/_iriscan"
    fish_completion.install "complete/iriscan.fish"
  end

  test do
    assert_equal "http://example.org/\n", pipe_output("#{bin}/iriscan find", "see http://example.org/.")
  end
end
